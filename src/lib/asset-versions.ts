/** The beginning of the SHA-256 of each file in public/assets, as `npm run assets` writes it. */
export const assetVersions = {
  'apple-touch-icon.png': '09f7805cff',
  'avatar.webp': 'd9f7d04b78',
  'challenge.js': 'f82cc0934c',
  'charts.js': 'b6416911ca',
  'client.css': '4759430c40',
  'client.js': '9a803927ec',
  'crop.js': '0320ef8f15',
  'header.webp': '06f0b03449',
  'icon-192.png': '4c0d3f5acd',
  'icon-512.png': 'ed6cd5ae57',
  'icon-maskable-512.png': '0b73823390',
  'logo.svg': 'c60de3f445',
  'pages.css': '10dc943e19',
  'part-BX2SE6QL.js': 'ef69d6a7b0',
  'part-LGVCCY54.js': '61b662be2e',
  'part-PZJOUCR5.js': '5460a78384',
  'part-RFT5WXOV.js': 'f7612f658e',
  'part-XKACXNK2.js': '030e5e0c00',
  'part-XKH6ETYM.js': 'bc7af06253',
  'passkeys.js': '0bff5ffaa6',
  'preview.png': '23d9a8a175',
  'push.js': 'c7684d5d55',
  'sprite.svg': 'bf41c1011a',
} as const

/** Scripts of pages: the parts that each imports at once, and those that it may import later. */
export const islandParts = {
  'challenge.js': { parts: ['part-XKACXNK2.js'], later: [] },
  'charts.js': { parts: ['part-XKACXNK2.js'], later: [] },
  'client.js': {
    parts: ['part-XKACXNK2.js', 'part-XKH6ETYM.js'],
    later: ['part-BX2SE6QL.js', 'part-LGVCCY54.js', 'part-PZJOUCR5.js'],
  },
  'crop.js': { parts: ['part-XKACXNK2.js'], later: [] },
  'passkeys.js': { parts: ['part-RFT5WXOV.js', 'part-XKACXNK2.js'], later: [] },
  'push.js': { parts: ['part-RFT5WXOV.js', 'part-XKACXNK2.js'], later: [] },
} as const
