import { Construct } from 'constructs';
import { ServiceSecret } from './constructs/encryption.ts';
import { MarqueeTable } from './constructs/marquee-table.ts';

/** The customers' applications, which every area reads, and the secret that seals the cursors of lists. */
export class Applications extends Construct {
  readonly table = new MarqueeTable(this, 'Applications', 'APPLICATIONS_TABLE', { keys: ['pk'] });
  private readonly cursorSecret = new ServiceSecret(this, 'CursorSecret', {
    description: 'Seals the cursors of lists',
    isGenerated: true,
  });

  readonly read = this.table.may('GetItem');
  readonly list = this.table.may('GetItem', 'Scan');
  /**
   * Stores the signer that an application's first contract is given. It cannot change or read anything else of the
   * application.
   */
  readonly assignSigner = {
    ...this.table.may('UpdateItem'),
    conditions: {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'signer', 'version'] },
      StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
    },
  };
  /** Allows a function to list page by page. */
  readonly cursors = this.cursorSecret.readAs('CURSOR_SECRET_ARN');
}
