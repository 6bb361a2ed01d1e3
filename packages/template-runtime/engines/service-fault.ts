/** An error of an AWS API. SDKs tell errors apart by `code`. */
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
