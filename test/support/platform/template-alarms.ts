import { resolve } from 'template-runtime/assembly/intrinsics.ts';
import type { AlarmEngine } from 'template-runtime/engines/alarms/types.ts';
import { alarm } from 'template-runtime/resources/cloudwatch-alarm.ts';
import { localTemplate } from './local-assembly.ts';

/** Deploys the alarms of the template. Each reference to a resource resolves to its logical id. */
export const deployAlarms = async (engine: AlarmEngine): Promise<void> => {
  const scope = {
    ref: (name: string) => name,
    getAtt: (logicalId: string) => logicalId,
  };
  for (const [logicalId, { Type, Properties }] of Object.entries(localTemplate().Resources)) {
    if (Type !== 'AWS::CloudWatch::Alarm') continue;
    const properties = alarm.properties.parse(resolve(Properties, scope));
    const place = { stackName: 'S', partition: 'aws', region: 'us-east-1', accountId: '0' };
    const actions = { AlarmActions: ['arn:aws:sns:us-east-1:0:told'], OKActions: [] };
    await alarm.deploy({ ...properties, ...actions }, {
      ...place,
      logicalId,
      engines: { alarms: engine },
    } as never);
  }
};
