export const possibleTypes: Record<string, string[]> = {
  "MetricsRule": [
    "MetricsAlertingRule",
    "MetricsRecordingRule"
  ],
  "Node": [
    "Agent",
    "Channel",
    "Comment",
    "CommentThread",
    "Intent",
    "Message",
    "Video"
  ]
}
