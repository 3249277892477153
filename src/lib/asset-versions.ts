/** The beginning of the SHA-256 of each file in public/assets, as `npm run assets` writes it. */
export const assetVersions = {
  'accounts.js': 'cc6def0414',
  'apple-touch-icon.png': '09f7805cff',
  'avatar.webp': 'd9f7d04b78',
  'challenge.js': '286f5a6e0c',
  'charts.js': 'acf9a04a1a',
  'client.css': '134e9d208e',
  'client.js': '8f1c1ee149',
  'crop.js': '082ca1bea7',
  'header.webp': '06f0b03449',
  'icon-192.png': '4c0d3f5acd',
  'icon-512.png': 'ed6cd5ae57',
  'icon-maskable-512.png': '0b73823390',
  'logo.svg': 'c60de3f445',
  'offline.js': '546ad45ff1',
  'pages.css': '77434aa2b9',
  'part-5HM4K2V5.js': '3dd187bfed',
  'part-GCNVYUUX.js': 'dabada500c',
  'part-HU7SNR7Z.js': 'e4bcc21d0f',
  'part-OOWYBS6K.js': 'f368d07fb8',
  'part-RFT5WXOV.js': 'f7612f658e',
  'part-UBUSKEJK.js': '59a76d68f9',
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
    parts: ['part-HU7SNR7Z.js', 'part-UBUSKEJK.js'],
    later: ['part-5HM4K2V5.js', 'part-GCNVYUUX.js', 'part-OOWYBS6K.js'],
  },
  'crop.js': { parts: ['part-HU7SNR7Z.js'], later: [] },
  'offline.js': { parts: ['part-HU7SNR7Z.js', 'part-UBUSKEJK.js'], later: [] },
  'passkeys.js': { parts: ['part-HU7SNR7Z.js', 'part-RFT5WXOV.js'], later: [] },
  'push.js': { parts: ['part-HU7SNR7Z.js', 'part-RFT5WXOV.js'], later: [] },
} as const
