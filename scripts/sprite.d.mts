export function iconNames(): string[]
export function sprite(): string
