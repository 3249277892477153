/** The beginning of the SHA-256 of each file in public/assets, as `npm run assets` writes it. */
export const assetVersions = {
  'apple-touch-icon.png': '09f7805cff',
  'avatar.webp': 'd9f7d04b78',
  'challenge.js': 'f82cc0934c',
  'charts.js': 'b6416911ca',
  'client.css': 'f24b2d7661',
  'client.js': 'dadc5daf6a',
  'crop.js': '0320ef8f15',
  'header.webp': '06f0b03449',
  'icon-192.png': '4c0d3f5acd',
  'icon-512.png': 'ed6cd5ae57',
  'icon-maskable-512.png': '0b73823390',
  'logo.svg': 'c60de3f445',
  'pages.css': '61368cf3dc',
  'part-CPRZOQHS.js': 'e9c511e5e7',
  'part-IJ6DV5P6.js': '9941eba921',
  'part-K5CDCIFC.js': '2a2fd0433f',
  'part-O3TGB4RF.js': '5a4650b505',
  'part-RFT5WXOV.js': 'f7612f658e',
  'part-XKACXNK2.js': '030e5e0c00',
  'passkeys.js': '0bff5ffaa6',
  'preview.png': '23d9a8a175',
  'push.js': 'c7684d5d55',
  'sprite.svg': 'ba00021c41',
} as const

/** Scripts of pages: the parts that each imports at once, and those that it may import later. */
export const islandParts = {
  'challenge.js': { parts: ['part-XKACXNK2.js'], later: [] },
  'charts.js': { parts: ['part-XKACXNK2.js'], later: [] },
  'client.js': {
    parts: ['part-K5CDCIFC.js', 'part-XKACXNK2.js'],
    later: ['part-CPRZOQHS.js', 'part-IJ6DV5P6.js', 'part-O3TGB4RF.js'],
  },
  'crop.js': { parts: ['part-XKACXNK2.js'], later: [] },
  'passkeys.js': { parts: ['part-RFT5WXOV.js', 'part-XKACXNK2.js'], later: [] },
  'push.js': { parts: ['part-RFT5WXOV.js', 'part-XKACXNK2.js'], later: [] },
} as const
