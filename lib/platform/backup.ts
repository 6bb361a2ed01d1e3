import { Duration } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { acknowledge, acknowledgeToCheckov } from './constructs/acknowledge.ts';
import { MarqueeTable } from './constructs/marquee-table.ts';
import { kept, stageOf } from './constructs/stage.ts';

/**
 * Backs up all tables every night, and copies the backups into a vault in another Region. Point-in-time
 * recovery keeps its states in the table's own Region, and ends with the table.
 */
export function addBackups(scope: Construct): void {
  const { backup } = stageOf(scope);
  if (backup === undefined) return;
  const vault = new BackupVault(scope, 'Vault', { removalPolicy: kept });
  acknowledgeToCheckov(vault, {
    CKV_AWS_166:
      "A copy to another Region needs a key there: the vault has AWS Backup's own key in each Region",
  });
  const deleteAfter = Duration.days(backup.keptDays);
  const plan = new BackupPlan(scope, 'Plan', {
    backupVault: vault,
    backupPlanRules: [
      new BackupPlanRule({
        ruleName: 'Nightly',
        scheduleExpression: Schedule.cron({ hour: '2', minute: '0' }),
        deleteAfter,
        copyActions: [
          {
            destinationBackupVault: BackupVault.fromBackupVaultArn(scope, 'CopyTo', backup.copyTo),
            deleteAfter,
          },
        ],
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
