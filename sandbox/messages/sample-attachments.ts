/** The media, polls and places of the sample messages. */
import type { Json } from './model.ts'

export const media: readonly Json[] = [
  {
    media_key: '3_1780000000000000301',
    type: 'photo',
    url: 'https://pbs.example/media/row.jpg',
    width: 1600,
    height: 900,
    alt_text: 'A row of blue tiles',
    public_metrics: {},
  },
  {
    media_key: '3_1780000000000000302',
    type: 'animated_gif',
    preview_image_url: 'https://pbs.example/tweet_video_thumb/spin.jpg',
    variants: [{ bit_rate: 0, content_type: 'video/mp4', url: 'https://video.example/spin.mp4' }],
    width: 480,
    height: 480,
  },
  {
    media_key: '13_1780000000000000401',
    type: 'video',
    preview_image_url: 'https://pbs.example/ext_tw_video_thumb/grout.jpg',
    duration_ms: 46_947,
    width: 1920,
    height: 1080,
    public_metrics: { view_count: 6_865_141 },
    variants: [
      { bit_rate: 632_000, content_type: 'video/mp4', url: 'https://video.example/320.mp4' },
      { content_type: 'application/x-mpegURL', url: 'https://video.example/list.m3u8' },
    ],
  },
]
export const polls: readonly Json[] = [
  {
    id: '1780000000000000501',
    options: [
      { position: 1, label: 'Square', votes: 37 },
      { position: 2, label: 'Hexagon', votes: 41 },
    ],
    duration_minutes: 1440,
    end_datetime: '2026-06-03T01:21:25.000Z',
    voting_status: 'closed',
  },
]
export const places: readonly Json[] = [
  {
    id: '01a9a39529b27f36',
    full_name: 'Manhattan, NY',
    name: 'Manhattan',
    country: 'United States',
    country_code: 'US',
    place_type: 'city',
    contained_within: ['94965b2c45386f87'],
    geo: { type: 'Feature', bbox: [-74.026675, 40.683935, -73.910408, 40.877483], properties: {} },
  },
]
