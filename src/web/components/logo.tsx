import { assetPath } from '../../lib/assets'
import { usePage } from '../page-context'

export interface LogoProps {
  /** Length of a side in pixels. */
  readonly side: number
  readonly class?: string
}

/** The logo of the server; that of the software where the operator has none. */
export function Logo({ side, class: look }: LogoProps) {
  const { logo } = usePage().site
  return (
    <img
      class={logo === null ? look : ['own-logo', look].filter(Boolean).join(' ')}
      src={logo?.small ?? assetPath('logo.svg')}
      width={side}
      height={side}
      alt=""
    />
  )
}
