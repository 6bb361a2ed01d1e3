import type { NftMetadata } from '../../../shared/nft/tokens/nft.ts';

/** Metadata with the fields whose stored form differs from the one in responses. */
export const numberedMetadata = (name?: string): NftMetadata => ({
  ...someMetadata(name),
  external_url: 'https://club.example.com/seats/7',
  attributes: [
    { trait_type: 'Gate', value: 4, display_type: null },
    { trait_type: 'Price', value: 24.5, display_type: 'number' },
    { trait_type: 'Seat', value: '7', display_type: null },
  ],
});

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
