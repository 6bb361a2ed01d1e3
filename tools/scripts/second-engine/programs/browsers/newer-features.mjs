// Prints what MDN's data on compatibility has and the oldest browsers lack: global objects, and members of others.
import data from '@mdn/browser-compat-data' with { type: 'json' };

const oldest = { chrome: 76, safari: 15.4 };
const versionOf = (version) =>
  typeof version === 'string' && version !== 'preview' ? Number(version.replace('≤', '')) : Infinity;
const isIn = ({ support }, [browser, version]) =>
  [support[browser]]
    .flat()
    .filter((each) => each !== undefined && !each.flags && !each.prefix && !each.alternative_name)
    .some(
      (each) => versionOf(each.version_added) <= version && !(versionOf(each.version_removed) <= version),
    );
const isOld = (compat) => Object.entries(oldest).every((browser) => isIn(compat, browser));

const globals = [];
const members = {};
for (const group of [data.api, data.javascript.builtins]) {
  for (const [name, described] of Object.entries(group)) {
    if (described.__compat && !isOld(described.__compat)) {
      globals.push(name);
      continue;
    }
    const newer = Object.entries(described)
      .filter(
        ([key, member]) =>
          /^(@@)?[A-Za-z]+(_static)?$/.test(key) && member.__compat && !isOld(member.__compat),
      )
      .map(([key]) => key);
    if (newer.length > 0) members[name] = newer;
  }
}
const sorted = Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)));
console.log(JSON.stringify({ globals: globals.sort(), members: sorted }));
