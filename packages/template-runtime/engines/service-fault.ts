/** An error that an AWS API answers, by the name that its SDKs know it by. */
export class ServiceFault extends Error {
  readonly code: string;
  readonly status: number;

  constructor({ code, message, status = 400 }: { code: string; message: string; status?: number }) {
    super(message);
    this.name = 'ServiceFault';
    this.code = code;
    this.status = status;
  }
}
