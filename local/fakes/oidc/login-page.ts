const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * The page on which a user signs in. Its form is sent to the page's own address, whose query has the parameters of the
 * authorization request.
 */
export const loginPage = ({
  clientId,
  origin,
  hint,
}: {
  readonly clientId: string;
  /** The origin of the page to which the user goes back. */
  readonly origin: string;
  readonly hint: string;
}): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Sign in</title>
    <style>
      :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
      body { margin: 15vh auto 0; max-width: 20rem; padding: 0 1rem; }
      label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; }
      input, button { margin-top: .5rem; padding: .5rem; }
    </style>
  </head>
  <body>
    <h1>Sign in</h1>
    <p>to <strong>${escaped(clientId)}</strong>, on <strong>${escaped(origin)}</strong></p>
    <form method="post">
      <label>Name <input name="sub" value="${escaped(hint)}" required maxlength="128" autofocus autocomplete="username"></label>
      <button>Sign in</button>
    </form>
    <p>This is the local fake of the identity provider. It accepts any name and asks for no password.</p>
  </body>
</html>
`;
