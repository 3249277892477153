/** The beginning of the SHA-256 of each file in public/assets, as `npm run assets` writes it. */
export const assetVersions = {
  'apple-touch-icon.png': '09f7805cff',
  'avatar.webp': 'd9f7d04b78',
  'challenge.js': 'f82cc0934c',
  'charts.js': 'b6416911ca',
  'client.css': 'b41895d9e9',
  'client.js': 'e854784e99',
  'crop.js': '0320ef8f15',
  'header.webp': '06f0b03449',
  'icon-192.png': '4c0d3f5acd',
  'icon-512.png': 'ed6cd5ae57',
  'logo.svg': 'c60de3f445',
  'part-3UBH4KBN.js': '9e8d91f333',
  'part-F7C7LSB7.js': 'b3f116676a',
  'part-XKACXNK2.js': '030e5e0c00',
  'passkeys.js': '9a72298bfe',
  'preview.png': '23d9a8a175',
  'sprite.svg': '1b7d7bd5ca',
  'style.css': '16f4b3b4aa',
} as const

/** Scripts of pages: the parts that each imports at once, and those that it may import later. */
export const islandParts = {
  'challenge.js': { parts: ['part-XKACXNK2.js'], later: [] },
  'charts.js': { parts: ['part-XKACXNK2.js'], later: [] },
  'client.js': { parts: ['part-F7C7LSB7.js', 'part-XKACXNK2.js'], later: ['part-3UBH4KBN.js'] },
  'crop.js': { parts: ['part-XKACXNK2.js'], later: [] },
  'passkeys.js': { parts: ['part-XKACXNK2.js'], later: [] },
} as const
