/*
 * Shows the viewer what the service stores of the viewer, gives a copy of it, and erases it.
 */
import { isFresh } from './login.js';
import { button, element, fill, make, reveal } from './page.js';
import { accountReason } from './refusals.js';

const { api_url_profile: profileUrl } = window.settings;
const word = 'ERASE';

/** Offers a text as a file. */
const save = (name, text) => {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = make('a', { href: url, download: name });
  link.click();
  // Browsers read the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};

const counted = (count, one) => `${count} ${one}${count === 1 ? '' : 's'}`;

/** What an erasure deletes, in the words of the page. */
const goes = ({ user_data: keys, user_agreements: agreements, wallets, applications }) => [
  keys.length === 0 ? 'your registration, which has no data' : `your data: ${keys.join(', ')}`,
  ...(agreements === 0 ? [] : [counted(agreements, 'agreement')]),
  ...(wallets === 0 ? [] : [`the links of ${counted(wallets, 'wallet')}`]),
  ...(applications.length === 0
    ? []
    : [`your identifiers in ${applications.map(({ name }) => name).join(', ')}`]),
  ...applications
    .filter(({ reserved_tokens: count }) => count > 0)
    .map(
      ({ name, reserved_tokens: count }) =>
        `${counted(count, 'ticket')} of ${name}, which ${name} can give away`,
    ),
];

const remainders = {
  removal: 'that you left, and when',
  application_user_subs: 'your old identifiers',
  wallet_challenges: 'messages to link a wallet',
  notifications: 'what applications were sent about you, which has no data',
  sessions: 'streams that play, until they end',
  logs: 'lines of logs, which have no data',
  backups: 'backups',
  reserved_tokens: 'your old identifier at tickets, until they are given away',
};
const stays = ({ stays: all, applications }) => {
  const claimed = applications
    .filter(({ claimed_tokens: count }) => count > 0)
    .map(({ name, claimed_tokens: count }) => `, with ${counted(count, 'ticket')} of ${name}`);
  const told = applications.filter(({ is_notified: isNotified }) => isNotified).map(({ name }) => name);
  const words = {
    ...remainders,
    tokens_on_chain: `what is on the chain${claimed.join('')}`,
    copies_of_applications: `what applications have read of you. Told that you left: ${told.join(', ') || 'none'}`,
  };
  return all.map(({ what, days }) => {
    const until = days === null ? '' : `, for up to ${counted(days, 'day')}`;
    return `${words[what] ?? what}${until}`;
  });
};

const list = (title, rows) => [
  make('h3', {}, title),
  make('ul', {}, ...rows.map((row) => make('li', {}, row))),
];

export const accountPanel = ({ session, asViewer, logInAgain, onErased }) => {
  const say = (text) => {
    element('data-message').textContent = text;
    if (text !== '') reveal('data-message');
  };
  const profile = (path, options) => asViewer(`${profileUrl}${path}`, options);
  const failed = (what, answer) => say(`${what} ${accountReason(answer)}`);

  /** All pages of the export, as one. */
  const wholeExport = async () => {
    let answer = await profile('/user/export');
    const whole = answer.body;
    while (answer.ok && answer.next !== undefined) {
      answer = await asViewer(answer.next);
      if (answer.ok) whole.tokens.push(...answer.body.tokens);
    }
    return { ...answer, body: answer.ok ? whole : answer.body };
  };
  const download = async () => {
    say('Collecting your data …');
    const { user } = session();
    const answer = await wholeExport();
    if (user !== session().user) return;
    if (!answer.ok) return failed('Your data was not downloaded.', answer);
    save(`marquee-${user}.json`, `${JSON.stringify(answer.body, null, 2)}\n`);
    say('Your data is in the file that your browser has saved.');
  };

  /** Erases the viewer, who has typed the word. If the login is too old, the viewer logs in again first. */
  const erase = async ({ hasJustLoggedIn = false } = {}) => {
    const { user, token } = session();
    if (!hasJustLoggedIn && !isFresh(token)) return logInAgain();
    say('Erasing …');
    const answer = await profile('/user/data', { method: 'DELETE' });
    if (user !== session().user) return;
    const isTooOld = answer.body?.message === 'INSUFFICIENT_USER_AUTHENTICATION';
    if (isTooOld && !hasJustLoggedIn) return logInAgain();
    if (!answer.ok) return failed('Nothing was erased.', answer);
    const { status, body } = await profile('/user/data');
    await onErased();
    fill(element('data'));
    element('my-data').hidden = false;
    say(
      `${user} is erased. The service answers now: ${[status, body?.error_fields].filter(Boolean).join(' ')}. A stream that plays ends within a minute. If you sign in again, you are somebody new.`,
    );
  };

  const confirm = () => {
    const field = make('input', { id: 'erase-word', autocomplete: 'off', spellcheck: false, required: true });
    const submit = make('button', { type: 'submit', className: 'danger' }, 'Erase now');
    const form = make(
      'form',
      { id: 'erasing' },
      make('label', {}, `To erase everything of ${session().user}, type ${word}`, field),
      make('div', { className: 'row' }, submit, button('Keep it', open, { className: 'quiet' })),
    );
    form.addEventListener('submit', async (submission) => {
      submission.preventDefault();
      if (field.value.trim() !== word) return say(`Nothing was erased: you did not type ${word}.`);
      submit.disabled = true;
      await erase().finally(() => {
        submit.disabled = false;
      });
    });
    say('');
    fill(element('data'), form);
    field.focus();
  };

  const open = async () => {
    const { user } = session();
    say('');
    const answer = await profile('/user/erasure');
    if (user !== session().user) return;
    if (!answer.ok) return failed('Your data cannot be shown.', answer);
    fill(
      element('data'),
      ...list('An erasure deletes', goes(answer.body)),
      ...list('It leaves', stays(answer.body)),
      make(
        'div',
        { className: 'row' },
        button('Download all of it', download, { className: 'quiet' }),
        button('Erase all of it', confirm, { className: 'danger' }),
      ),
    );
  };

  const show = () => {
    element('my-data').hidden = session().user === undefined;
    say('');
    fill(
      element('data'),
      make('p', { className: 'hint' }, 'See what is stored of you, take a copy, or leave.'),
      button('Show my data', open, { className: 'quiet' }),
    );
  };

  /** What is said to a viewer who comes back from the issuer. */
  const loginFailed = () => say('Nothing was erased: you did not log in again as the same user.');

  return { show, erase, loginFailed };
};
