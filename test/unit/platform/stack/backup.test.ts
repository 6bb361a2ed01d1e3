import { describe, expect, it } from 'vitest';
import { prod } from '../../../../config/prod.ts';
import type { StageInput } from '../../../../config/stage.ts';
import { staging } from '../../../../config/staging.ts';
import { copiesVault, resourcesOf, templateOf, templateOfStage } from '../../../support/platform/stack.ts';

const backup: StageInput['backup'] = { copyTo: copiesVault, keptDays: 60 };

describe('a stage with backups', () => {
  const template = templateOfStage({ ...prod, backup });

  it('backs up every table each night and copies the backups to the other vault', () => {
    const propertiesOf = (type: string) => resourcesOf(template, type)[0]?.[1].Properties ?? {};
    const tables = resourcesOf(template, 'AWS::DynamoDB::Table').map(([id]) => id);

    expect(propertiesOf('AWS::Backup::BackupPlan').BackupPlan).toMatchObject({
      BackupPlanRule: [
        {
          ScheduleExpression: 'cron(0 2 * * ? *)',
          Lifecycle: { DeleteAfterDays: 60 },
          CopyActions: [{ DestinationBackupVaultArn: copiesVault, Lifecycle: { DeleteAfterDays: 60 } }],
        },
      ],
    });
    const { BackupSelection } = propertiesOf('AWS::Backup::BackupSelection');
    const { Resources } = BackupSelection as { readonly Resources: unknown[] };
    expect(Resources).toHaveLength(tables.length);
    expect(Resources).toEqual(expect.arrayContaining(tables.map((id) => ({ 'Fn::GetAtt': [id, 'Arn'] }))));
  });

  it('has an alarm, on for a day, on backups and copies that fail, also under the name of the vault of the copies', () => {
    const [[, alarm] = []] = resourcesOf(template, 'AWS::CloudWatch::Alarm').filter(([id]) =>
      id.startsWith('Backups'),
    );
    const metrics = alarm?.Properties.Metrics as {
      readonly MetricStat?: { readonly Metric: unknown; readonly Period: number };
    }[];
    const [[vault] = []] = resourcesOf(template, 'AWS::Backup::BackupVault');
    const watched = (MetricName: string, Value: unknown) => ({
      Namespace: 'AWS/Backup',
      MetricName,
      Dimensions: [{ Name: 'BackupVaultName', Value }],
    });

    expect(alarm?.Properties).toMatchObject({ EvaluationPeriods: 24, DatapointsToAlarm: 1, Threshold: 1 });
    expect(metrics.flatMap(({ MetricStat }) => MetricStat?.Period ?? [])).toEqual([3600, 3600, 3600, 3600]);
    expect(metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? [])).toEqual([
      watched('NumberOfBackupJobsFailed', { 'Fn::GetAtt': [vault, 'BackupVaultName'] }),
      watched('NumberOfBackupJobsExpired', { 'Fn::GetAtt': [vault, 'BackupVaultName'] }),
      watched('NumberOfCopyJobsFailed', { 'Fn::GetAtt': [vault, 'BackupVaultName'] }),
      watched('NumberOfCopyJobsFailed', 'marquee-copies'),
    ]);
    const dashboards = JSON.stringify(resourcesOf(template, 'AWS::CloudWatch::Dashboard'));
    expect(dashboards).toContain('Backups: alarms');
  });

  it('retains the backups when the stack is deleted', () => {
    const [[, vault] = []] = resourcesOf(template, 'AWS::Backup::BackupVault');

    expect(vault).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
  });

  it('is rejected if it does not retain data or names no valid vault', () => {
    expect(() => templateOfStage({ ...staging, backup })).toThrow('backup: needs retainData');
    expect(() => templateOfStage({ ...prod, backup: { copyTo: 'marquee-copies' } })).toThrow('backup.copyTo');
  });
});

it('a stage without the setting `backup` has no backups', () => {
  expect(resourcesOf(templateOf('prod'), 'AWS::Backup::BackupVault')).toEqual([]);
});
