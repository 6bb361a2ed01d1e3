/** Looks up `$context.<name>`; undefined when there is nothing of that name for this request. */
export type ContextVariables = (name: string) => string | undefined;

const variable = /\$\{context\.(?<braced>[A-Za-z.]+)\}|\$context\.(?<plain>[A-Za-z]+(?:\.[A-Za-z]+)*)/g;

/**
 * Gateway responses, mocks and access logs may use `$context.…` and nothing else of the Velocity language: throws on
 * a template that does.
 */
export const assertOnlyContext = (template: string): void => {
  const other = /#[a-z]+|\$[^c\s"'}]\w*|\$c(?!ontext\.)\w*/i.exec(template.replaceAll(variable, ''));
  if (other !== null) throw new Error(`the template uses ${other[0]}, which the local runtime does not know`);
};

export const renderTemplate = (
  template: string,
  { variables, missing }: { readonly variables: ContextVariables; readonly missing: string },
): string =>
  template.replaceAll(
    variable,
    (_match, braced: string | undefined, plain: string | undefined) =>
      variables(braced ?? plain ?? '') ?? missing,
  );
