/**
 * Files of token metadata with the shapes that collections in the wild have. All of them are made up. Each is accepted,
 * or refused for the one reason that its author has to know.
 */
export interface MetadataFile {
  readonly what: string;
  /** The file as it is sent. */
  readonly file: string | Buffer;
  /** The fields that are refused, and the one reason. @default accepted */
  readonly refused?: { readonly fields: readonly string[]; readonly reason: string };
}

const fieldsOfMetadata =
  'name, description, image, image_preview, image_thumbnail, background_color, animation_url, youtube_url, external_url and attributes';
const allUrls = 'https:, ipfs:, ar: or data: (of an image, a sound or a video)';
const cid = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
const drawing = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg">${'<path d="M0 0h9v9"/>'.repeat(350)}</svg>`,
);

const json = (fields: Readonly<Record<string, unknown>>): string => JSON.stringify(fields, null, 2);
const withAttributes = (attributes: string): string =>
  `{"name": "Dragon #12", "image": "ipfs://${cid}/12.png", "attributes": ${attributes}}`;
const withImage = (image: string) => json({ name: 'Fox #3', image, attributes: [] });

const accepted: readonly MetadataFile[] = [
  {
    what: 'a picture of a series, with traits as texts',
    file: json({
      name: '#0001',
      description: 'One of 5,000 foxes.',
      image: `ipfs://${cid}/1.png`,
      attributes: [
        { trait_type: 'Background', value: 'Blue' },
        { trait_type: 'Hat', value: 'None' },
      ],
    }),
  },
  {
    what: 'levels and stats as numbers',
    file: withAttributes(
      '[{"trait_type": "Level", "value": 5}, {"trait_type": "Stamina", "value": 1.4}, {"display_type": "boost_number", "trait_type": "Power", "value": 40}, {"display_type": "boost_percentage", "trait_type": "Speed", "value": 10}, {"display_type": "number", "trait_type": "Generation", "value": 2}]',
    ),
  },
  {
    what: 'a birthday as seconds',
    file: withAttributes('[{"display_type": "date", "trait_type": "Birthday", "value": 1546360800}]'),
  },
  {
    what: 'a time in milliseconds, and a number of 2 to the power of 64',
    file: withAttributes(
      '[{"trait_type": "Created", "display_type": "date", "value": 1580346653000}, {"trait_type": "Seed", "value": 18446744073709551616}]',
    ),
  },
  {
    what: 'a page of the token',
    file: json({
      name: 'Fox #2',
      external_url: 'https://foxes.example.com/2',
      image: `ipfs://${cid}/2.png`,
      attributes: [],
    }),
  },
  {
    what: 'a page of the token that is empty',
    file: json({ name: 'Fox #2', external_url: '', image: `ipfs://${cid}/2.png` }),
  },
  {
    what: 'empty texts for no URLs',
    file: json({ name: 'Fox #4', image: `ipfs://${cid}/4.png`, animation_url: '', youtube_url: '' }),
  },
  {
    what: 'a drawing in a data: URL of 9 KB',
    file: withImage(`data:image/svg+xml;base64,${drawing.toString('base64')}`),
  },
  {
    what: 'a small drawing that is percent-encoded',
    file: withImage('data:image/svg+xml;utf8,%3Csvg%20xmlns=%22x%22/%3E'),
  },
  { what: 'a picture on Arweave', file: withImage('ar://bNbA3TEQVL60xlgCcqdz4ZPHFZ711cZ3hmkpGttDt_U/1.png') },
  { what: 'a picture whose name has a space, encoded', file: withImage(`ipfs://${cid}/My%20Fox%203.png`) },
  {
    what: 'a picture behind a gateway of IPFS',
    file: withImage(`https://ipfs.example.com/ipfs/${cid}/3.png?filename=3.png`),
  },
  {
    what: 'a song with its cover',
    file: json({
      name: 'Intro (Live)',
      image: `ipfs://${cid}/cover.jpg`,
      animation_url: `ipfs://${cid}/intro.mp3`,
      attributes: [{ trait_type: 'Seconds', value: 187.52 }],
    }),
  },
  {
    what: 'a page that draws the token',
    file: json({
      name: 'Waves 71',
      image: 'https://waves.example.com/71.png',
      animation_url: `ipfs://${cid}/index.html?seed=0x9f4a&edition=71`,
      background_color: '#FFFFFF',
    }),
  },
  {
    what: 'a Japanese name of thirty characters',
    file: json({ name: '第三十七回全国高等学校選手権大会決勝戦記念入場券東側上段席' }),
  },
  { what: 'a name of emoji that are joined', file: json({ name: '👩‍👩‍👧 Family ❤️ 🏴󠁧󠁢󠁳󠁣󠁴󠁿' }) },
  { what: 'an Arabic name with a mark of direction', file: json({ name: 'تذكرة \u200F7' }) },
  {
    what: 'line ends of Windows',
    file: json({ name: 'Fox #5', description: 'First line.\r\n\r\n- one\r\n- two' }).replaceAll('\n', '\r\n'),
  },
  { what: 'a byte order mark', file: `\uFEFF${json({ name: 'Fox #6', attributes: [] })}` },
  {
    what: 'a long description in Markdown',
    file: json({ name: 'Fox #7', description: '## Rules\n\n* _one_\n\n'.repeat(200) }),
  },
  {
    what: 'nulls for what it does not have',
    file: json({ name: 'Seat 7', description: null, image: null, background_color: null }),
  },
  { what: 'traits without a name', file: withAttributes('[{"value": "Happy"}, {"value": "Starfish"}]') },
  {
    what: 'numbers below zero, of zero, and as texts',
    file: withAttributes(
      '[{"trait_type": "Luck", "value": -3}, {"trait_type": "Kills", "value": 0}, {"trait_type": "Rank", "value": "12", "display_type": "number"}]',
    ),
  },
  {
    what: 'coordinates',
    file: withAttributes(
      '[{"trait_type": "Latitude", "value": 48.208493}, {"trait_type": "Longitude", "value": 16.373118}]',
    ),
  },
  { what: 'a trait whose value is null', file: withAttributes('[{"trait_type": "Sold to", "value": null}]') },
];

const unknown = (fields: readonly string[], known = fieldsOfMetadata) => ({
  fields,
  reason: `Unknown field. The fields are ${known}`,
});

const refused: readonly MetadataFile[] = [
  {
    what: 'a space in the URL of a picture on IPFS',
    file: withImage(`ipfs://${cid}/My Fox 3.png`),
    refused: { fields: ['image'], reason: 'White space in the URL; write a space as %20' },
  },
  {
    what: 'a line end after a URL',
    file: withImage(`ipfs://${cid}/3.png\n`),
    refused: { fields: ['image'], reason: 'White space before or after the URL; remove it' },
  },
  {
    what: 'a drawing in a data: URL that is not encoded',
    file: withImage('data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg"/>'),
    refused: { fields: ['image'], reason: 'White space in the URL; write a space as %20' },
  },
  {
    what: 'a drawing in a data: URL of over 16 KB',
    file: withImage(`data:image/svg+xml;base64,${drawing.toString('base64').repeat(2)}`),
    refused: { fields: ['image'], reason: 'At most 16384 bytes' },
  },
  {
    what: 'a picture over http',
    file: withImage('http://foxes.example.com/3.png'),
    refused: { fields: ['image'], reason: `Not http:, must be a URL with ${allUrls}` },
  },
  {
    what: 'a CID alone',
    file: withImage(`${cid}/3.png`),
    refused: {
      fields: ['image'],
      reason: `No scheme; must be a URL with ${allUrls}. Write ipfs:// before a CID`,
    },
  },
  {
    what: 'the name of a file',
    file: withImage('3.png'),
    refused: { fields: ['image'], reason: `No scheme; must be a URL with ${allUrls}` },
  },
  {
    what: 'a scheme that nothing follows',
    file: withImage('ipfs://'),
    refused: { fields: ['image'], reason: 'Nothing follows ipfs:' },
  },
  {
    what: 'an HTML page in a data: URL',
    file: json({ name: 'Waves 72', animation_url: 'data:text/html;base64,PGgxPkhpPC9oMT4=' }),
    refused: {
      fields: ['animation_url'],
      reason: 'A data: URL must be of an image, a sound or a video, such as data:image/png',
    },
  },
  {
    what: 'a page without its scheme',
    file: json({ name: 'Fox #8', external_url: 'www.foxes.example.com/8' }),
    refused: { fields: ['external_url'], reason: 'No scheme; must be a URL with https:, ipfs: or ar:' },
  },
  {
    what: 'a colour without its #, as marketplaces want it',
    file: json({ name: 'Fox #9', background_color: '0B1F3A' }),
    refused: { fields: ['background_color'], reason: 'Not a colour of the form #RRGGBB' },
  },
  {
    what: 'what a generator leaves in its files',
    file: json({ name: 'Fox #10', dna: 'a1b2', edition: 10, date: 1646231122151, compiler: 'Fox Engine' }),
    refused: unknown(['dna', 'edition', 'date', 'compiler']),
  },
  {
    what: 'files and royalties as other chains have them',
    file: json({
      name: 'Fox #11',
      symbol: 'FOX',
      seller_fee_basis_points: 500,
      properties: { files: [{ uri: '11.png', type: 'image/png' }] },
    }),
    refused: unknown(['symbol', 'seller_fee_basis_points', 'properties']),
  },
  {
    what: 'the greatest value of a trait',
    file: withAttributes('[{"trait_type": "Level", "value": 5, "max_value": 10}]'),
    refused: unknown(['attributes[0].max_value'], 'trait_type, value and display_type'),
  },
  {
    what: 'a trait that is true or false',
    file: withAttributes('[{"trait_type": "Gold", "value": true}]'),
    refused: { fields: ['attributes[0].value'], reason: 'Must be a string, a number or null' },
  },
  {
    what: 'a trait with a list',
    file: withAttributes('[{"trait_type": "Colours", "value": ["red", "blue"]}]'),
    refused: { fields: ['attributes[0].value'], reason: 'Must be a string, a number or null' },
  },
  {
    what: 'traits as an object',
    file: withAttributes('{"Background": "Blue"}'),
    refused: { fields: ['attributes'], reason: 'Invalid input: expected array, received object' },
  },
  {
    what: 'a hash as a number',
    file: withAttributes('[{"trait_type": "Seed", "value": 83467234872348723487235}]'),
    refused: {
      fields: ['attributes[0].value'],
      reason: 'This integer cannot be stored exactly; send it as a string',
    },
  },
  {
    what: 'more decimals than a double has',
    file: withAttributes('[{"trait_type": "Rarity", "value": 0.012345678901234567890}]'),
    refused: {
      fields: ['attributes[0].value'],
      reason: 'This number cannot be stored exactly; send it as a string',
    },
  },
  {
    what: 'a text that is not UTF-8',
    file: Buffer.from(json({ name: 'Caf\xe9' }), 'latin1'),
    refused: {
      fields: ['name'],
      reason: 'Must not contain U+FFFD, which stands for bytes that are not UTF-8: send the text as UTF-8',
    },
  },
  {
    what: 'a NUL at the end of a fixed-width text',
    file: withAttributes('[{"trait_type": "Class", "value": "Mage\\u0000\\u0000"}]'),
    refused: { fields: ['attributes[0].value'], reason: 'Must not contain the control character U+0000' },
  },
  {
    what: 'no name',
    file: json({ description: 'A fox', image: `ipfs://${cid}/13.png` }),
    refused: { fields: ['name'], reason: 'Required' },
  },
];

export const metadataFiles: readonly MetadataFile[] = [...accepted, ...refused];
