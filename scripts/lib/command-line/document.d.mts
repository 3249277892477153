import type { Registry } from './registry.mjs'

export function documentOf(registry: Registry): string
