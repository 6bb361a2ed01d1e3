import { Construct } from 'constructs';
import { MarqueeTable } from './constructs/marquee-table.ts';
import { ServiceSecret } from './constructs/service-secret.ts';

/** The customers' applications, which all areas read, and the secret that encrypts the cursors of lists. */
export class Applications extends Construct {
  readonly table = new MarqueeTable(this, 'Applications', 'APPLICATIONS_TABLE', { keys: ['pk'] });
  private readonly cursorSecret = new ServiceSecret(this, 'CursorSecret', {
    name: 'cursor',
    description: 'Seals the cursors of lists',
    isGenerated: true,
  });

  readonly read = this.table.may('GetItem');
  readonly list = this.table.may('GetItem', 'Scan');
  /** Allows storing an application's signer, but not changing or reading any other data of the application. */
  readonly assignSigner = {
    ...this.table.may('UpdateItem'),
    conditions: {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'signer', 'version'] },
      StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
    },
  };
  /** Allows a function to encrypt and decrypt list cursors. */
  readonly cursors = this.cursorSecret.readAs('CURSOR_SECRET_ARN');
}
