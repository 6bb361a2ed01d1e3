/** An error of an AWS API, with the name by which SDKs know it. */
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
