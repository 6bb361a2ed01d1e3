import { Construct } from 'constructs';
import { ServiceSecret } from './constructs/encryption.ts';
import { MarqueeTable } from './constructs/marquee-table.ts';

/** The customers' applications, which every area reads, and the secret that seals the cursors of lists. */
export class Applications extends Construct {
  readonly table = new MarqueeTable(this, 'Applications', { keys: ['pk'] });
  private readonly cursorSecret = new ServiceSecret(this, 'CursorSecret', {
    description: 'Seals the cursors of lists',
    content: 'generated',
  });

  readonly read = this.table.may('GetItem');
  readonly list = this.table.may('GetItem', 'Scan');
  /** An application's first contract stores its signer; nothing else of it can be changed or read with that. */
  readonly assignSigner = {
    ...this.table.may('UpdateItem'),
    conditions: {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'signer', 'version'] },
      StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
    },
  };
  /** Seals and opens the cursors of lists. */
  readonly cursors = this.cursorSecret.read;
  readonly environment = { APPLICATIONS_TABLE: this.table.tableName };
  /** Of a function that answers lists page by page. */
  readonly cursorEnvironment = { CURSOR_SECRET_ARN: this.cursorSecret.secretArn };
}
