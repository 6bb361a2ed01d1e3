import type { NftMetadata } from '../../../shared/nft/collection/nft.ts';

export const someMetadata = (name = 'Ticket'): NftMetadata => ({
  name,
  description: null,
  image: null,
  image_preview: null,
  image_thumbnail: null,
  background_color: null,
  animation_url: null,
  youtube_url: null,
  attributes: [],
});
