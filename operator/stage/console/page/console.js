import { showCustomers } from './customers.js';
import { ask, failureText } from './elements.js';
import { showFind } from './find.js';
import { showNow } from './now.js';
import { showOverTime } from './over-time.js';

const views = { now: showNow, 'over-time': showOverTime, find: showFind, customers: showCustomers };
const view = document.querySelector('#view');
let end = () => {};

/** Shows the view that the URL fragment names: `#find/cup-final` shows `find` with the argument `cup-final`. */
const show = (stage) => {
  const [name, ...rest] = location.hash.slice(1).split('/');
  const chosen = Object.hasOwn(views, name) ? name : 'now';
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash === `#${chosen}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  end();
  view.replaceChildren();
  end = views[chosen](view, { argument: decodeURIComponent(rest.join('/')), stage });
};

try {
  const stage = await ask('stage');
  document.querySelector('#stage').textContent = `stage ${stage.stage}`;
  document.title = `Marquee ${stage.stage}`;
  addEventListener('hashchange', () => show(stage));
  show(stage);
} catch (error) {
  view.replaceChildren(failureText(error));
}
