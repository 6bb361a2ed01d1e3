import * as z from 'zod';
import { type Parameter, type ParameterEngine, parameterArn } from '../../engines/parameters.ts';
import { ServiceFault } from '../../engines/service-fault.ts';
import { epochSeconds, jsonOperation, jsonService } from '../json-protocol.ts';

const shown = (parameter: Parameter) => ({
  ARN: parameter.arn,
  DataType: 'text',
  LastModifiedDate: epochSeconds(parameter.lastModifiedDate),
  Name: parameter.name,
  Type: parameter.type,
  Value: parameter.value,
  Version: parameter.version,
});

const isMissing = (error: unknown): boolean =>
  error instanceof ServiceFault && error.code === 'ParameterNotFound';

export const parametersService = (parameters: ParameterEngine) =>
  jsonService({
    GetParameter: jsonOperation(z.object({ Name: z.string() }), ({ Name }, call) => {
      call.allow('ssm:GetParameter', parameterArn(Name));
      return { Parameter: shown(parameters.get(Name)) };
    }),
    GetParameters: jsonOperation(z.object({ Names: z.array(z.string()) }), ({ Names }, call) => {
      call.allow('ssm:GetParameters', Names.map(parameterArn));
      const found: Parameter[] = [];
      const missing: string[] = [];
      for (const name of Names) {
        try {
          found.push(parameters.get(name));
        } catch (error) {
          if (!isMissing(error)) throw error;
          missing.push(name);
        }
      }
      return { Parameters: found.map(shown), InvalidParameters: missing };
    }),
    PutParameter: jsonOperation(
      z.object({
        Name: z.string(),
        Value: z.string(),
        Type: z.enum(['String', 'StringList']).default('String'),
        Overwrite: z.boolean().default(false),
      }),
      ({ Name, Value, Type, Overwrite }, call) => {
        call.allow('ssm:PutParameter', parameterArn(Name));
        if (!Overwrite) {
          try {
            parameters.get(Name);
            throw new ServiceFault({
              code: 'ParameterAlreadyExists',
              message: 'The parameter already exists. To overwrite this value, set the overwrite option.',
            });
          } catch (error) {
            if (!isMissing(error)) throw error;
          }
        }
        return {
          Version: parameters.put({ name: Name, type: Type, value: Value }).version,
          Tier: 'Standard',
        };
      },
    ),
  });
