export interface Parameter {
  readonly name: string;
  readonly arn: string;
  readonly type: 'String' | 'StringList';
  readonly value: string;
  readonly version: number;
  readonly lastModifiedDate: Date;
}

/** What stands in for the Parameter Store of Systems Manager. */
export interface ParameterEngine {
  get(name: string): Parameter;
  put(parameter: Pick<Parameter, 'name' | 'type' | 'value'>): Parameter;
}
