/** The log groups into which SNS writes how deliveries of a topic ended. */
export const deliveryLogGroups = (topicArn: string) => {
  const [, , , region, account, name] = topicArn.split(':');
  const delivered = `sns/${region}/${account}/${name}`;
  return { delivered, failed: `${delivered}/Failure` };
};
