export const themes = ['light', 'dark'] as const
/** Colours besides the usual ones of the server; each has a light and a dark form. */
export const palettes = ['sepia', 'sea', 'forest', 'plum', 'graphite'] as const
/** `less` is the normal contrast, also where the device asks for more. */
export const contrasts = ['less', 'more'] as const
/** Percents of the browser's own size; 100 needs no choice. */
export const textSizes = ['90', '110', '125', '150'] as const
export const mediaChoices = ['default', 'show_all', 'hide_all'] as const

/** Theme, contrast and text size of pages for an account; null where the device decides, or the server about the colours. */
export interface Look {
  readonly theme: (typeof themes)[number] | null
  readonly palette: (typeof palettes)[number] | null
  readonly contrast: (typeof contrasts)[number] | null
  readonly textSize: (typeof textSizes)[number] | null
  /** Pictures and videos of posts: sensitive ones behind a press, none, or all. */
  readonly media: (typeof mediaChoices)[number]
  /** Content warnings are open. */
  readonly opensWarnings: boolean
  /** Animated pictures play by themselves. */
  readonly playsGifs: boolean
}

/** Look as it is stored; an absent key means the default. */
export interface StoredLook {
  readonly theme?: (typeof themes)[number]
  readonly palette?: (typeof palettes)[number]
  readonly contrast?: (typeof contrasts)[number]
  readonly textSize?: (typeof textSizes)[number]
  readonly expandMedia?: Look['media']
  readonly expandSpoilers?: boolean
  readonly autoplayGifs?: boolean
}

export function lookOf(stored: StoredLook): Look {
  const { theme = null, palette = null, contrast = null, textSize = null, expandMedia = 'default' } = stored
  const { expandSpoilers = false, autoplayGifs = false } = stored
  return {
    theme,
    palette,
    contrast,
    textSize,
    media: expandMedia,
    opensWarnings: expandSpoilers,
    playsGifs: autoplayGifs,
  }
}

/** The look of visitors, and of accounts that chose nothing. */
export const usualLook = lookOf({})
