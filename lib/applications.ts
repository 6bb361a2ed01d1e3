import { Construct } from 'constructs';
import type { StageConfig } from '../config/stage.ts';
import { MarqueeTable } from './constructs/marquee-table.ts';
import { ServiceSecret } from './constructs/service-secret.ts';

/** The customers' applications, which every area reads, and the secret that seals the cursors of lists. */
export class Applications extends Construct {
  readonly table: MarqueeTable;
  readonly cursorSecret: ServiceSecret;

  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id);
    this.table = new MarqueeTable(this, 'Applications', { stage, partitionKey: 'pk' });
    this.cursorSecret = new ServiceSecret(this, 'CursorSecret', {
      stage,
      description: 'Seals the cursors of lists',
      content: 'generated',
    });
  }
}
