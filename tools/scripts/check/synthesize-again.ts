/**
 * Synthesizes every stage within one process, the last stage first. `synthesize-again.ts FOLDER` writes each stage into
 * `FOLDER/<stage>`. The validation of the templates is skipped, because it does not change them.
 */
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { stageNamed, stageNames } from '../../../config/stages.ts';
import { addStage, appContext } from '../../../lib/app.ts';

const [directory = ''] = process.argv.slice(2);
for (const stage of stageNames.toReversed()) {
  const app = new App({
    outdir: join(directory, stage),
    context: { ...appContext },
    builtinCloudFormationValidation: false,
  });
  addStage(app, stageNamed(stage));
  app.synth();
}
