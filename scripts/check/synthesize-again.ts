/**
 * Synthesizes every stage within one process, the last one first. `synthesize-again.ts FOLDER` puts each into a folder
 * of its name. Skips the validation of the templates, which does not change them.
 */
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { stageNamed, stageNames } from '../../config/stages.ts';
import { addStage, appContext } from '../../lib/app.ts';

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
