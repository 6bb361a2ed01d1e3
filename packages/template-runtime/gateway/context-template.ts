/** Looks up `$context.<name>`; undefined when the request has no such value. */
export type ContextVariables = (name: string) => string | undefined;

const variable = /\$\{context\.(?<braced>[A-Za-z.]+)\}|\$context\.(?<plain>[A-Za-z]+(?:\.[A-Za-z]+)*)/g;

/** Throws on templates with anything but `$context.…`: no other part of the Velocity language is supported. */
export const assertOnlyContext = (template: string): void => {
  const other = /#[a-z]+|\$[^c\s"'}]\w*|\$c(?!ontext\.)\w*/i.exec(template.replaceAll(variable, ''));
  if (other !== null)
    throw new Error(`the template uses ${other[0]}, which the local runtime does not support`);
};

interface Rendering {
  readonly variables: ContextVariables;
  readonly missing: string;
}

export const compileTemplate = (template: string): ((rendering: Rendering) => string) => {
  let end = 0;
  const parts = [...template.matchAll(variable)].map(({ 0: match, index, groups }) => {
    const before = template.slice(end, index);
    end = index + match.length;
    return { before, name: groups?.braced ?? groups?.plain ?? '' };
  });
  const rest = template.slice(end);
  return ({ variables, missing }) =>
    parts.map(({ before, name }) => before + (variables(name) ?? missing)).join('') + rest;
};

export const renderTemplate = (template: string, rendering: Rendering): string =>
  compileTemplate(template)(rendering);
