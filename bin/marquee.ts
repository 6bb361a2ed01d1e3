import { App } from 'aws-cdk-lib';
import { stageNamed } from '../config/stages.ts';
import { addStage, appContext } from '../lib/app.ts';

const app = new App({ context: { ...appContext } });
addStage(app, stageNamed(app.node.tryGetContext('stage')));
app.synth();
