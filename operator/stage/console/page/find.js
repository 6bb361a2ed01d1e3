import { ask, command, failureText, fields, h, timeOf } from './elements.js';

const link = (what) => h('a', { href: `#find/${encodeURIComponent(what)}` }, what);

const timeline = (stage, { kind, id, fields: known, moments, related, commands }) =>
  h(
    'section',
    { class: 'wide', 'data-kind': kind },
    h('h2', {}, `${kind} `, h('code', {}, id)),
    fields(known),
    h(
      'ol',
      { class: 'timeline' },
      moments.map(({ at, what, isUnknown }) =>
        h(
          'li',
          { class: isUnknown ? 'unknown' : undefined },
          at === undefined ? h('span', { class: 'faint' }, isUnknown ? 'not known' : '') : timeOf(at),
          h('span', {}, what),
        ),
      ),
    ),
    related.length === 0
      ? undefined
      : h(
          'p',
          {},
          'See also: ',
          related.flatMap((what) => [link(what), ' ']),
        ),
    commands.map((words) => command(`${stage.command}${words}`)),
  );

export const showFind = (view, { argument, stage }) => {
  const box = h('input', {
    class: 'grows',
    name: 'what',
    type: 'search',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-label': 'What to find',
    placeholder: 'an id, address or hash',
    'aria-describedby': 'findable',
  });
  box.value = argument;
  const form = h(
    'form',
    {
      onsubmit: (event) => {
        event.preventDefault();
        const hash = `#find/${encodeURIComponent(box.value.trim())}`;
        // The browser tells of no change if the same text is looked for again.
        if (location.hash === hash) dispatchEvent(new Event('hashchange'));
        else location.hash = hash;
      },
    },
    box,
    h('button', {}, 'Find'),
  );
  const findable = h(
    'p',
    { id: 'findable', class: 'faint' },
    'Finds an address, token (address/id), hash, nonce, idempotency key, request id, message id, dead letter, user, application_user_sub, event, customer or endpoint.',
  );
  const answer = h('section', { class: 'wide' }, form, findable);
  view.append(answer);
  box.focus();
  if (argument === '') return () => {};
  const said = h('p', { class: 'faint' }, 'Looking …');
  answer.append(said);
  let isShown = true;
  ask('find', { what: argument })
    .then(({ timelines }) => {
      if (!isShown) return;
      said.textContent = timelines.length === 0 ? `Nothing found for ${argument}.` : '';
      view.append(...timelines.map((each) => timeline(stage, each)));
    })
    .catch((error) => said.replaceChildren(failureText(error)));
  return () => {
    isShown = false;
  };
};
