/**
 * @generated SignedSource<<fa47e92b10623f3c60d8ce3327f38004>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type video_thread$data = {
  readonly topLevelComment: {
    readonly authorDisplayName: string | null | undefined;
    readonly textOriginal: string | null | undefined;
  } | null | undefined;
  readonly totalReplyCount: number | null | undefined;
  readonly " $fragmentType": "video_thread";
};
export type video_thread$key = {
  readonly " $data"?: video_thread$data;
  readonly " $fragmentSpreads": FragmentRefs<"video_thread">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "video_thread",
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "totalReplyCount",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "Comment",
      "kind": "LinkedField",
      "name": "topLevelComment",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "authorDisplayName",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "textOriginal",
          "storageKey": null
        }
      ],
      "storageKey": null
    }
  ],
  "type": "CommentThread",
  "abstractKey": null
};

(node as any).hash = "edb240c3373a5c4829081040bc9adb49";

export default node;
