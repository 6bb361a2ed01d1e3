import type { Checkout } from './checkout.ts';

/**
 * Runs `preflight`, then shows what a deployment of the checkout would change, and writes it to the file. Compares
 * templates only, so it needs no role that may change anything.
 *
 * @throws OperatorError when a step fails. Differences are no failure.
 */
export const compareStage = async (
  { checkout }: { readonly checkout: Pick<Checkout, 'run' | 'runKeeping' | 'operator'> },
  { stage, file }: { readonly stage: string; readonly file: string | undefined },
): Promise<void> => {
  await checkout.operator('--stage', stage, 'preflight', '--no-import');
  const diff = ['diff', '-c', `stage=${stage}`, '--method', 'template', '--fail-on', 'never', '--no-color'];
  await (file === undefined ? checkout.run('cdk', ...diff) : checkout.runKeeping(file, 'cdk', ...diff));
};
