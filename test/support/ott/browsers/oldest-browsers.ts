import newer from './newer-features.json' with { type: 'json' };

/**
 * A script that removes what the oldest browsers do not have: global objects, and members of objects and of their
 * prototypes, but for the `kept` names of members. `npm run check:engines -- browsers` compares the list with MDN's data on compatibility.
 */
export const withoutNewerFeatures = (
  kept: readonly string[] = [],
): string => `(({ globals, members }, kept) => {
  const remove = (holder, name) => {
    const key = name.startsWith('@@') ? Symbol[name.slice(2)] : name;
    if (holder === undefined || holder === null || key === undefined || kept.includes(name)) return;
    if (Object.getOwnPropertyDescriptor(holder, key)?.configurable) delete holder[key];
  };
  for (const [name, keys] of Object.entries(members)) {
    const holder = globalThis[name];
    for (const key of keys) {
      // MDN's data marks static members of web interfaces, such as Response.json, but not those of JavaScript's objects.
      const isStatic = key.endsWith('_static');
      const member = key.replace('_static', '');
      const prototype = holder?.prototype;
      if (!isStatic) remove(prototype, member);
      if (isStatic || prototype === undefined || !(member in prototype)) remove(holder, member);
      if (name === 'Window') remove(globalThis, member);
    }
  }
  for (const name of globals) remove(globalThis, name);
})(${JSON.stringify(newer)}, ${JSON.stringify(kept)});
`;
