import { assetPath } from '../../lib/assets'

/** Icons of Lucide that pages use. `npm run assets` puts them into the sprite. */
const iconNames = [
  'arrow-left',
  'arrow-up',
  'at-sign',
  'ban',
  'bell',
  'bookmark',
  'calendar-clock',
  'chart-bar',
  'check',
  'chevron-down',
  'chevron-right',
  'circle-user',
  'columns-3',
  'compass',
  'crosshair',
  'ellipsis',
  'external-link',
  'eye-off',
  'feather',
  'flag',
  'funnel',
  'globe',
  'hash',
  'history',
  'house',
  'image',
  'keyboard',
  'languages',
  'link',
  'list',
  'lock',
  'log-out',
  'mail',
  'megaphone',
  'menu',
  'message-square-text',
  'moon',
  'pencil',
  'pin',
  'plus',
  'quote',
  'repeat-2',
  'reply',
  'search',
  'settings',
  'share-2',
  'shield',
  'sliders-horizontal',
  'smile-plus',
  'star',
  'sun',
  'sun-moon',
  'trash-2',
  'triangle-alert',
  'user-minus',
  'user-plus',
  'users',
  'volume-x',
  'x',
] as const

export type IconName = (typeof iconNames)[number]

/** Icons that point along the line, mirrored where text runs from right to left. */
const directed = new Set<IconName>(['reply', 'arrow-left', 'chevron-right', 'log-out'])
/** Icons of open lines, which a pressed button draws heavier instead of filling. */
const open = new Set<IconName>(['repeat-2'])

export interface IconProps {
  readonly name: IconName
  /** 18 px beside small text, instead of 24. */
  readonly isSmall?: boolean
}

/** An icon for those who see it: its button or its neighbour says the same in words. */
export function Icon({ name, isSmall = false }: IconProps) {
  const classes = ['icon', isSmall && 's', directed.has(name) && 'flip', open.has(name) && 'open']
  return (
    <svg class={classes.filter(Boolean).join(' ')} aria-hidden="true">
      <use href={`${assetPath('sprite.svg')}#${name}`} />
    </svg>
  )
}
