// A receiver of enveloped messages that lets a library verify the signatures. What libraries leave to their users, it
// checks itself: topic, age, signature version, and the SubscribeURL.
import { createServer } from 'node:http';

const { TOPIC_ARN, SNS_HOST, MAX_AGE_SECONDS, LIBRARY } = process.env;
const { default: Validator } = await import(LIBRARY);

const validateWith = {
  'sns-validator': () => {
    const validator = new Validator(new RegExp(`^${SNS_HOST.replaceAll('.', '\\.')}$`));
    return (body) =>
      new Promise((resolve, reject) => {
        validator.validate(body, (error, message) => (error === null ? resolve(message) : reject(error)));
      });
  },
  'sns-payload-validator': () => {
    const validator = new Validator();
    return (body) => validator.validate(body);
  },
};
const validate = validateWith[LIBRARY]();

const receive = async (body) => {
  const message = await validate(body);
  const isOld = Date.now() - Date.parse(message.Timestamp) > Number(MAX_AGE_SECONDS) * 1_000;
  if (message.TopicArn !== TOPIC_ARN || message.SignatureVersion !== '2' || isOld) {
    throw new Error('of another topic or version, or too old');
  }
  if (message.Type === 'Notification') {
    const { operation_type, application_user_sub } = JSON.parse(message.Message);
    console.log(operation_type === 'data_update' ? `Read again ${application_user_sub}` : operation_type);
    return;
  }
  const url = new URL(message.SubscribeURL);
  if (url.protocol !== 'https:' || url.host !== SNS_HOST) throw new Error('another SubscribeURL');
  if ((await fetch(url, { redirect: 'error' })).ok) console.log('Subscribed');
};

const server = createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    await receive(Buffer.concat(chunks).toString());
    response.statusCode = 200;
  } catch (error) {
    response.statusCode = 403;
    console.log('Not accepted:', error.message);
  }
  response.end();
});
server.listen(0, '127.0.0.1', () => console.log('Listening on', server.address().port));
