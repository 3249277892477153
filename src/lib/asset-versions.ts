/** The beginning of the SHA-256 of each file in public/assets, as `npm run assets` writes it. */
export const assetVersions = {
  'accounts.js': 'cc6def0414',
  'apple-touch-icon.png': '09f7805cff',
  'avatar.webp': 'd9f7d04b78',
  'challenge.js': '286f5a6e0c',
  'charts.js': 'acf9a04a1a',
  'client.css': '134e9d208e',
  'client.js': '8281473a88',
  'crop.js': '082ca1bea7',
  'header.webp': '06f0b03449',
  'icon-192.png': '4c0d3f5acd',
  'icon-512.png': 'ed6cd5ae57',
  'icon-maskable-512.png': '0b73823390',
  'logo.svg': 'c60de3f445',
  'offline.js': '7ea51d3c6b',
  'pages.css': 'f92dd8b256',
  'part-454D2S76.js': 'e804cc4cda',
  'part-B3R4UR7H.js': 'e33c9b78ee',
  'part-CGY5B3GW.js': '59bbe386ef',
  'part-HU7SNR7Z.js': 'e4bcc21d0f',
  'part-RFT5WXOV.js': 'f7612f658e',
  'part-YWUC5T7A.js': '5ffdf14026',
  'passkeys.js': 'e94bc77706',
  'preview.png': '23d9a8a175',
  'push.js': '96606cef95',
  'sprite.svg': '41ec0eb8ff',
  'themes.css': '7d1a394a30',
} as const

/** Scripts of pages: the parts that each imports at once, and those that it may import later. */
export const islandParts = {
  'accounts.js': { parts: [], later: [] },
  'challenge.js': { parts: ['part-HU7SNR7Z.js'], later: [] },
  'charts.js': { parts: ['part-HU7SNR7Z.js'], later: [] },
  'client.js': {
    parts: ['part-454D2S76.js', 'part-HU7SNR7Z.js'],
    later: ['part-B3R4UR7H.js', 'part-CGY5B3GW.js', 'part-YWUC5T7A.js'],
  },
  'crop.js': { parts: ['part-HU7SNR7Z.js'], later: [] },
  'offline.js': { parts: ['part-454D2S76.js', 'part-HU7SNR7Z.js'], later: [] },
  'passkeys.js': { parts: ['part-HU7SNR7Z.js', 'part-RFT5WXOV.js'], later: [] },
  'push.js': { parts: ['part-HU7SNR7Z.js', 'part-RFT5WXOV.js'], later: [] },
} as const
