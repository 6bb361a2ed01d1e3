// A CloudFront Function for the viewer requests of the streams' distribution (runtime cloudfront-js-2.0).
//
// CloudFront compares the path of a request with the path of a signature as the path is written, and sends it to the
// origin as it is written. An origin that decodes it reads /first/%2e%2e/second/index.m3u8 as /second/index.m3u8, so the
// signature for the folder /first/ would open the folder /second/. This function refuses every path that an origin could
// read as another one.

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by its name.
function handler(event) {
  // Dots that lead upwards, encoded or not; an encoded slash, a backslash, an empty folder; an encoded percent sign, or one
  // that encodes nothing; control characters; an asterisk. The service signs no stream with such a path.
  const ambiguous =
    /\/(?:\.|%2e){1,2}(?:\/|;|%3b|$)|%2f|%5c|\\|\/\/|%25|%(?![0-9a-f]{2})|[^ -~\u0080-\uffff]|%[01][0-9a-f]|%7f|\*/i;
  if (!ambiguous.test(event.request.uri)) return event.request;
  return { statusCode: 403, statusDescription: 'Forbidden' };
}
