import { namesIn } from './intrinsics.ts';
import type { Template, TemplateResource } from './template.ts';

/**
 * Sorts logical ids so that each resource comes after all resources that it refers to or depends on. Throws on a cycle.
 */
export const deploymentOrder = (resources: Template['Resources']): readonly string[] => {
  const order: string[] = [];
  const done = new Set<string>();

  const visit = (logicalId: string, path: readonly string[]): void => {
    if (done.has(logicalId)) return;
    if (path.includes(logicalId)) {
      const circle = [...path.slice(path.indexOf(logicalId)), logicalId];
      throw new Error(`the template has a circular dependency: ${circle.join(' → ')}`);
    }
    const resource = resources[logicalId];
    if (!resource) return;
    for (const name of dependenciesOf(logicalId, resource, resources)) visit(name, [...path, logicalId]);
    done.add(logicalId);
    order.push(logicalId);
  };
  for (const logicalId of Object.keys(resources)) visit(logicalId, []);
  return order;
};

const dependenciesOf = (
  logicalId: string,
  { DependsOn, Properties }: TemplateResource,
  resources: Template['Resources'],
): readonly string[] => {
  const missing = DependsOn.find((name) => !(name in resources));
  if (missing !== undefined)
    throw new Error(`${logicalId} depends on ${missing}, which is not in the template`);
  return [...DependsOn, ...[...namesIn(Properties)].filter((name) => name in resources)];
};
