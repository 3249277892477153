/** The beginning of the SHA-256 of each file in public/assets, as `npm run assets` writes it. */
export const assetVersions = {
  'apple-touch-icon.png': '09f7805cff',
  'avatar.webp': 'd9f7d04b78',
  'challenge.js': '5876b2a52b',
  'charts.js': 'cc431debe3',
  'client.css': '86b21b1589',
  'client.js': '19713cdd31',
  'crop.js': '54e0ae8e45',
  'header.webp': '06f0b03449',
  'icon-192.png': '4c0d3f5acd',
  'icon-512.png': 'ed6cd5ae57',
  'icon-maskable-512.png': '0b73823390',
  'logo.svg': 'c60de3f445',
  'pages.css': 'c6fa2cf203',
  'part-3CJ54AZ5.js': '5886e65961',
  'part-A6X3P3T5.js': '420364b6db',
  'part-HJUL4XS3.js': '8476bbb430',
  'part-KXHRJSZM.js': 'ccbd80f26f',
  'part-MAWUS3JA.js': 'd264d24e7e',
  'part-RFT5WXOV.js': 'f7612f658e',
  'passkeys.js': 'a76627d67c',
  'preview.png': '23d9a8a175',
  'push.js': '7d931240e0',
  'sprite.svg': 'bf41c1011a',
} as const

/** Scripts of pages: the parts that each imports at once, and those that it may import later. */
export const islandParts = {
  'challenge.js': { parts: ['part-HJUL4XS3.js'], later: [] },
  'charts.js': { parts: ['part-HJUL4XS3.js'], later: [] },
  'client.js': {
    parts: ['part-HJUL4XS3.js', 'part-MAWUS3JA.js'],
    later: ['part-3CJ54AZ5.js', 'part-A6X3P3T5.js', 'part-KXHRJSZM.js'],
  },
  'crop.js': { parts: ['part-HJUL4XS3.js'], later: [] },
  'passkeys.js': { parts: ['part-HJUL4XS3.js', 'part-RFT5WXOV.js'], later: [] },
  'push.js': { parts: ['part-HJUL4XS3.js', 'part-RFT5WXOV.js'], later: [] },
} as const
