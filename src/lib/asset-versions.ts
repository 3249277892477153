/** The beginning of the SHA-256 of each file in public/assets, as `npm run assets` writes it. */
export const assetVersions = {
  'apple-touch-icon.png': '09f7805cff',
  'avatar.webp': 'd9f7d04b78',
  'challenge.js': 'f82cc0934c',
  'charts.js': 'b6416911ca',
  'client.css': '77be414d1a',
  'client.js': 'c2724a4f0a',
  'crop.js': '0320ef8f15',
  'header.webp': '06f0b03449',
  'icon-192.png': '4c0d3f5acd',
  'icon-512.png': 'ed6cd5ae57',
  'logo.svg': 'c60de3f445',
  'pages.css': 'c156a4723f',
  'part-K5CDCIFC.js': '2a2fd0433f',
  'part-QAJJI5AN.js': '496b387cea',
  'part-RFT5WXOV.js': 'f7612f658e',
  'part-VJD55UCJ.js': '47aefa95cb',
  'part-XKACXNK2.js': '030e5e0c00',
  'part-YDPEY2LM.js': 'e55be907bb',
  'passkeys.js': '0bff5ffaa6',
  'preview.png': '23d9a8a175',
  'push.js': 'c7684d5d55',
  'sprite.svg': '06144b352b',
} as const

/** Scripts of pages: the parts that each imports at once, and those that it may import later. */
export const islandParts = {
  'challenge.js': { parts: ['part-XKACXNK2.js'], later: [] },
  'charts.js': { parts: ['part-XKACXNK2.js'], later: [] },
  'client.js': {
    parts: ['part-K5CDCIFC.js', 'part-XKACXNK2.js'],
    later: ['part-QAJJI5AN.js', 'part-VJD55UCJ.js', 'part-YDPEY2LM.js'],
  },
  'crop.js': { parts: ['part-XKACXNK2.js'], later: [] },
  'passkeys.js': { parts: ['part-RFT5WXOV.js', 'part-XKACXNK2.js'], later: [] },
  'push.js': { parts: ['part-RFT5WXOV.js', 'part-XKACXNK2.js'], later: [] },
} as const
