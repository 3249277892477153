export function childrenOf(parent: number): readonly number[]
export function killNow(pid: number): void
export function isRunning(pid: number): boolean
