/** `--ground` of the palettes in light and dark: the colour of the browser's frame, and before the style arrives. */
export const grounds = {
  usual: { light: '#f4eee5', dark: '#12161b' },
  sepia: { light: '#f2e4cd', dark: '#1a140e' },
  sea: { light: '#e8f0f6', dark: '#0c171f' },
  forest: { light: '#ebf1e8', dark: '#101812' },
  plum: { light: '#f5ecf1', dark: '#1a131b' },
  graphite: { light: '#eeeff0', dark: '#141617' },
} as const
