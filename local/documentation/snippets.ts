/**
 * A Swagger UI plugin with code samples in languages that Swagger UI lacks. It is text, because it runs in the browser.
 * Swagger UI passes a request as an immutable map.
 */
export const snippetPlugin = `() => {
  const partsOf = (request) => {
    const headers = request.get('headers');
    const body = request.get('body');
    return {
      url: request.get('url'),
      method: request.get('method'),
      headers: headers === undefined ? {} : headers.toJS(),
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    };
  };
  const quoted = (value) => JSON.stringify(value);
  const fields = (headers) =>
    Object.entries(headers).map(([name, value]) => '    ' + quoted(name) + ': ' + quoted(String(value)) + ',');
  const typescript = (request) => {
    const { url, method, headers, body } = partsOf(request);
    return [
      'const response = await fetch(' + quoted(url) + ', {',
      '  method: ' + quoted(method) + ',',
      '  headers: {',
      ...fields(headers),
      '  },',
      ...(body === undefined ? [] : ['  body: ' + quoted(body) + ',']),
      '});',
      'console.log(response.status, await response.json());',
    ].join('\\n');
  };
  const python = (request) => {
    const { url, method, headers, body } = partsOf(request);
    return [
      'import requests',
      '',
      'response = requests.request(',
      '  ' + quoted(method) + ',',
      '  ' + quoted(url) + ',',
      '  headers={',
      ...fields(headers),
      '  },',
      ...(body === undefined ? [] : ['  data=' + quoted(body) + '.encode(),']),
      ')',
      'print(response.status_code, response.json())',
    ].join('\\n');
  };
  return { fn: { requestSnippetGenerator_typescript: typescript, requestSnippetGenerator_python: python } };
}`;

export const snippetLanguages = {
  curl_bash: { title: 'curl', syntax: 'bash' },
  typescript: { title: 'TypeScript', syntax: 'javascript' },
  python: { title: 'Python', syntax: 'python' },
};
