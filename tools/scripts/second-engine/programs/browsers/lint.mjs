// Lints scripts by the rules of eslint-plugin-compat and eslint-plugin-es-x for the oldest browsers, as JSON.
import { readFileSync } from 'node:fs';
import { Linter } from 'eslint';
import compat from 'eslint-plugin-compat';
import es from 'eslint-plugin-es-x';

const { browsers, language, files } = JSON.parse(process.argv[2]);
const linter = new Linter();
const { rules: all } = es.configs[`flat/restrict-to-es${language}`];
// An array has methods of the same names, and the linter does not know which of the two a value is.
const rules = Object.fromEntries(
  Object.entries(all).filter(([name]) => !name.includes('no-iterator-prototype-')),
);
const configuration = [
  {
    files: ['**/*'],
    languageOptions: { ecmaVersion: language, sourceType: 'module' },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { compat, 'es-x': es },
    settings: { browsers, 'es-x': { aggressive: true } },
    rules: { ...rules, 'compat/compat': 'error' },
  },
];
const findings = files.flatMap(([name, file]) =>
  linter
    .verify(readFileSync(file, 'utf8'), configuration, { filename: `${name}.js`, allowInlineConfig: false })
    .map(({ line, ruleId, message }) => `${name}, line ${line}: ${message} (${ruleId})`),
);
console.log(JSON.stringify(findings));
