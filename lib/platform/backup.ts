import { Duration } from 'aws-cdk-lib';
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupVault,
  type IBackupVault,
} from 'aws-cdk-lib/aws-backup';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Schedule } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { acknowledge, acknowledgeToCheckov } from './constructs/acknowledge.ts';
import { ServiceAlarm, sumOf } from './constructs/alarm.ts';
import { MarqueeTable } from './constructs/marquee-table.ts';
import { kept, stageOf } from './constructs/stage.ts';

/**
 * Backs up all tables every night, and copies the backups into a vault in another Region. Point-in-time
 * recovery keeps its states in the table's own Region, and ends with the table. An alarm tells of a failure: AWS Backup
 * itself tells nobody.
 */
export function addBackups(scope: Construct): void {
  const { backup } = stageOf(scope);
  if (backup === undefined) return;
  const vault = new BackupVault(scope, 'Vault', { removalPolicy: kept });
  acknowledgeToCheckov(vault, {
    CKV_AWS_166:
      "A copy to another Region needs a key there: the vault has AWS Backup's own key in each Region",
  });
  const copies = BackupVault.fromBackupVaultArn(scope, 'CopyTo', backup.copyTo);
  watchJobs(scope, { vault, copies });
  const deleteAfter = Duration.days(backup.keptDays);
  const plan = new BackupPlan(scope, 'Plan', {
    backupVault: vault,
    backupPlanRules: [
      new BackupPlanRule({
        ruleName: 'Nightly',
        scheduleExpression: Schedule.cron({ hour: '2', minute: '0' }),
        deleteAfter,
        copyActions: [{ destinationBackupVault: copies, deleteAfter }],
      }),
    ],
  });
  const tables = scope.node.root.node.findAll().filter((each) => each instanceof MarqueeTable);
  const selection = plan.addSelection('Tables', {
    resources: tables.map(({ table }) => BackupResource.fromDynamoDbTable(table)),
  });
  acknowledge(selection, {
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]':
      "AWS Backup's own policy for the role with which it makes backups; only AWS Backup can assume the role",
  });
}

/**
 * Adds the alarm on jobs that failed. The notifications of the vault would not do: AWS Backup sends the event
 * `BACKUP_JOB_FAILED` no longer, and `BACKUP_JOB_COMPLETED` also for each backup that succeeds.
 */
function watchJobs(
  scope: Construct,
  { vault, copies }: { readonly vault: IBackupVault; readonly copies: IBackupVault },
): void {
  const jobs = ({ backupVaultName }: IBackupVault, metricName: string) =>
    new Metric({
      namespace: 'AWS/Backup',
      metricName,
      dimensionsMap: { BackupVaultName: backupVaultName },
      statistic: 'Sum',
    });
  const failed = sumOf('backups and copies that failed', [
    jobs(vault, 'NumberOfBackupJobsFailed'),
    // A backup that could not begin in time.
    jobs(vault, 'NumberOfBackupJobsExpired'),
    // AWS does not document which of its two vaults a copy counts for.
    jobs(vault, 'NumberOfCopyJobsFailed'),
    jobs(copies, 'NumberOfCopyJobsFailed'),
  ]);
  new ServiceAlarm(scope, 'Fail', {
    metric: failed.with({ period: Duration.hours(1) }),
    // For a day, until the backups of the next night.
    evaluationPeriods: 24,
    datapointsToAlarm: 1,
    whatGoesWrong:
      'A backup of a table or its copy in the other Region failed: if the Region is lost, so are the newest changes.',
    runbook: 'a-backup-fails',
    severity: 'ticket',
  });
}
