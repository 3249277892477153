/** The beginning of the SHA-256 of each file in public/assets, as `npm run assets` writes it. */
export const assetVersions = {
  'apple-touch-icon.png': '09f7805cff',
  'avatar.webp': 'd9f7d04b78',
  'challenge.js': '66b2884f48',
  'charts.js': '45fb389265',
  'crop.js': '80769bb934',
  'header.webp': '06f0b03449',
  'icon-192.png': '4c0d3f5acd',
  'icon-512.png': 'ed6cd5ae57',
  'logo.svg': 'c60de3f445',
  'passkeys.js': 'ca5a9b67f9',
  'preview.png': '23d9a8a175',
  'style.css': '375f9a3c19',
} as const
