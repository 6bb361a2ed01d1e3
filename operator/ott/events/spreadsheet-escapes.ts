/** The values that Excel, LibreOffice, Numbers and Google Sheets write for a formula that has failed. */
const errorValues = new Set(
  [
    // English, and what all languages share.
    '#NULL! #DIV/0! #VALUE! #REF! #NAME? #NUM! #N/A #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! #BUSY! #UNKNOWN!',
    '#GETTING_DATA #EXTERNAL! #TIMEOUT! #PYTHON! #ERROR!',
    // German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian.
    '#NV #WERT! #BEZUG! #ZAHL! #ÜBERLAUF! #KALK! #FELD! #BLOCKIERT! #UNBEKANNT!',
    '#NUL! #VALEUR! #NOM? #NOMBRE! #PROPAGATION! #CALCUL!',
    '#¡NULO! #¡DIV/0! #¡VALOR! #¡REF! #¿NOMBRE? #¡NUM! #¡DESBORDAMIENTO!',
    '#NULLO! #VALORE! #RIF! #NOME? #N/D #ESPANSIONE!',
    '#NULO! #VALOR! #NÚM! #DESPEJAR!',
    '#LEEG! #DEEL/0! #WAARDE! #VERW! #NAAM? #GETAL! #N/B',
    '#ZERO! #DZIEL/0! #ARG! #ADR! #NAZWA? #LICZBA! #N/D!',
    '#ПУСТО! #ДЕЛ/0! #ЗНАЧ! #ССЫЛКА! #ИМЯ? #ЧИСЛО! #Н/Д',
  ].flatMap((line) => line.split(' ')),
);

/**
 * LibreOffice numbers some errors. `###` is a value that was wider than its column when the table was saved as shown.
 */
const numberedError = /^(err|error|erreur|fehler|fout|errore|erro)\s?:\s?\d{3}$/i;
const tooWide = /^#{3,}$/;

/** Whether a cell has no value, but the sign of a spreadsheet program that there is none. */
export const isErrorValue = (cell: string): boolean => {
  const shown = cell.trim();
  return errorValues.has(shown) || numberedError.test(shown) || tooWide.test(shown);
};

/** Spreadsheet programs take a text for a formula that begins with one of these characters, and calculate it. */
const formula = /^[=+\-@\t\r]/;
/** A text that they take for a number, an amount, a date or a time, and write in another way: `007`, `1e5`, `3/4`. */
const number = /^[\p{Sc}\s(]*[\d.,:/\-+%\s()]*\d[\d.,:/\-+%\s()]*(?:e[+-]?\d+|[ap]\.?m\.?|\p{Sc})?$/iu;
const month =
  /^(?:\d{1,4}[\s.,/-]*)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s.,/-]*(?:\d[\d\s.,:/-]*)?$/i;
const truth = /^(?:true|false)$/i;
/** A text that shows nothing would be a cell without a value. */
const nothing = /^\s*$/;

/** No number or date is longer. */
const valueAtMost = 100;

const wouldChange = (text: string): boolean => {
  const bare = text.replace(/^'+/, '');
  if (bare.length > valueAtMost) return formula.test(bare) || nothing.test(bare);
  return (
    [formula, number, truth, nothing].some((pattern) => pattern.test(bare)) ||
    (month.test(bare) && /\d/.test(bare))
  );
};

/** A text as a cell that spreadsheet programs leave as it is: with an apostrophe before it if they would not. */
export const escapedCell = (text: string): string => (wouldChange(text) ? `'${text}` : text);

/** The inverse of `escapedCell`. A cell with another apostrophe at its beginning stays as it is. */
export const unescapedCell = (cell: string): string =>
  cell.startsWith("'") && wouldChange(cell) ? cell.slice(1) : cell;
