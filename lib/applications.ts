import { Construct } from 'constructs';
import { ServiceSecret } from './constructs/encryption.ts';
import type { MarqueeFunction } from './constructs/marquee-function.ts';
import { MarqueeTable } from './constructs/marquee-table.ts';

/** The customers' applications, which every area reads, and the secret that seals the cursors of lists. */
export class Applications extends Construct {
  readonly table = new MarqueeTable(this, 'Applications', { keys: ['pk'] });
  private readonly cursorSecret = new ServiceSecret(this, 'CursorSecret', {
    description: 'Seals the cursors of lists',
    content: 'generated',
  });

  get environment() {
    return { APPLICATIONS_TABLE: this.table.tableName };
  }

  /** Of a function that answers lists page by page. */
  get cursorEnvironment() {
    return { CURSOR_SECRET_ARN: this.cursorSecret.secretArn };
  }

  grantRead(...readers: readonly MarqueeFunction[]): void {
    for (const reader of readers) this.table.grant(reader, ['GetItem']);
  }

  grantList(reader: MarqueeFunction): void {
    this.table.grant(reader, ['GetItem', 'Scan']);
  }

  /** An application's first contract stores its signer; nothing else of it can be changed or read with that. */
  grantAssignSigner(to: MarqueeFunction): void {
    this.table.grant(to, ['UpdateItem'], {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'signer', 'version'] },
      StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
    });
  }

  /** Seals and opens the cursors of lists. */
  grantCursors(...lists: readonly MarqueeFunction[]): void {
    for (const list of lists) list.allowSecret(this.cursorSecret);
  }
}
