import { describe, expect, it } from 'vitest';
import { prod } from '../../../../config/prod.ts';
import type { StageInput } from '../../../../config/stage.ts';
import { staging } from '../../../../config/staging.ts';
import { resourcesOf, templateOf, templateOfStage } from '../../../support/platform/stack.ts';

const copyTo = 'arn:aws:backup:eu-west-1:111122223333:backup-vault:marquee-copies';
const backup: StageInput['backup'] = { copyTo, keptDays: 60 };

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
          CopyActions: [{ DestinationBackupVaultArn: copyTo, Lifecycle: { DeleteAfterDays: 60 } }],
        },
      ],
    });
    const { BackupSelection } = propertiesOf('AWS::Backup::BackupSelection');
    const { Resources } = BackupSelection as { readonly Resources: unknown[] };
    expect(Resources).toHaveLength(tables.length);
    expect(Resources).toEqual(expect.arrayContaining(tables.map((id) => ({ 'Fn::GetAtt': [id, 'Arn'] }))));
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
