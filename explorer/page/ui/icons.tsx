/** The page's icons. Each is next to words that say the same. */
import { createElement, Fragment, type ReactNode } from 'react'

const icon =
  (...shapes: readonly ReactNode[]) =>
  ({ className = 'icon' }: { readonly className?: string }) => (
    <svg
      className={className}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {createElement(Fragment, {}, ...shapes)}
    </svg>
  )

export const Mark = () => (
  <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect x="3" y="3" width="12" height="12" rx="2.5" fill="#0f766e" />
    <rect x="17" y="3" width="12" height="12" rx="2.5" fill="#14b8a6" />
    <rect x="3" y="17" width="12" height="12" rx="2.5" fill="#f59e0b" />
    <rect x="17" y="17" width="12" height="12" rx="2.5" fill="#0e7490" />
  </svg>
)

/** A price tag. */
export const ExplainIcon = icon(
  <path d="M3 9.5V4a1 1 0 0 1 1-1h5.5L17 10.5 10.5 17z" />,
  <circle cx="7" cy="7" r="1.1" />,
)
export const KeyIcon = icon(
  <circle cx="6.8" cy="13.2" r="3.3" />,
  <path d="m9.2 10.8 7-7M13.2 6.8l2.4 2.4" />,
)
export const SunIcon = icon(
  <circle cx="10" cy="10" r="3.2" />,
  <path d="M10 2.5v1.6M10 15.9v1.6M2.5 10h1.6M15.9 10h1.6M4.7 4.7l1.1 1.1M14.2 14.2l1.1 1.1M15.3 4.7l-1.1 1.1M5.8 14.2l-1.1 1.1" />,
)
export const MoonIcon = icon(<path d="M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7z" />)
export const CloseIcon = icon(<path d="m5 5 10 10M15 5 5 15" />)
export const RunIcon = icon(<path d="M6 4.2v11.6l9.5-5.8z" fill="currentColor" />)
export const StopIcon = icon(<rect x="5" y="5" width="10" height="10" rx="1.5" fill="currentColor" />)
export const FormatIcon = icon(<path d="M3.5 5h13M6.5 10h10M3.5 15h9" />)
export const CopyIcon = icon(
  <rect x="7" y="7" width="9.5" height="9.5" rx="1.8" />,
  <path d="M13 7V5.2A1.7 1.7 0 0 0 11.3 3.5H5.2A1.7 1.7 0 0 0 3.5 5.2v6.1A1.7 1.7 0 0 0 5.2 13H7" />,
)
export const PlusIcon = icon(<path d="M10 4.5v11M4.5 10h11" />)
export const BackIcon = icon(<path d="m12 4.5-5.5 5.5 5.5 5.5" />)
export const StarIcon = icon(
  <path d="m10 3.2 2.1 4.4 4.8.6-3.5 3.3.9 4.8-4.3-2.3-4.3 2.3.9-4.8-3.5-3.3 4.8-.6z" />,
)
export const SaveIcon = icon(<path d="M5.5 3.5h9v13L10 13.2 5.5 16.5z" />)
export const SearchIcon = icon(<circle cx="8.8" cy="8.8" r="4.8" />, <path d="m12.5 12.5 4 4" />)
export const KeyboardIcon = icon(
  <rect x="2.5" y="5.5" width="15" height="9.5" rx="1.8" />,
  <path d="M5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M6.5 12h7" />,
)
export const DownloadIcon = icon(<path d="M10 3.5v9M6.3 9l3.7 3.7L13.7 9M4 16.5h12" />)
export const MapIcon = icon(
  <rect x="2.8" y="7.5" width="5" height="5" rx="1.2" />,
  <rect x="12.2" y="3" width="5" height="5" rx="1.2" />,
  <rect x="12.2" y="12" width="5" height="5" rx="1.2" />,
  <path d="M7.8 10h2M9.8 5.5h2.4M9.8 14.5h2.4M9.8 5.5v9" />,
)
