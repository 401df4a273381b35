# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PPD files of foomatic's kind: a command line in which Ghostscript prints."""

ARGUMENTS = ("-q -dBATCH -dPARANOIDSAFER -dNOPAUSE -dNOMEDIAATTRS "
             "-dNOINTERPOLATE -r600x600 -dDEVICEWIDTHPOINTS=297 "
             "-dDEVICEHEIGHTPOINTS=420")
TRAYS = {"Upper": " -dMediaPosition=4", "Lower": " -dMediaPosition=5"}

PPD = """\
*PPD-Adobe: "4.3"
*FormatVersion: "4.3"
*FileVersion: "1.1"
*LanguageVersion: English
*LanguageEncoding: ISOLatin1
*PCFileName: "TEST.PPD"
*Product: "(Test)"
*Manufacturer: "Test"
*ModelName: "Test {name}"
*ShortNickName: "Test {name}"
*NickName: "Test {name} Foomatic/{name}"
*PSVersion: "(3010.000) 0"
*LanguageLevel: "3"
*ColorDevice: {colour}
*DefaultColorSpace: Gray
*cupsFilter:	"application/vnd.cups-postscript 100 foomatic-rip"
*cupsFilter:	"application/vnd.cups-pdf 0 foomatic-rip"
*FoomaticIDs: Test-{name} {name}
*FoomaticRIPCommandLine: "{command}"
*End

*OpenUI *PageSize/Page Size: PickOne
*FoomaticRIPOption PageSize: enum CmdLine A
*OrderDependency: 110 AnySetup *PageSize
*DefaultPageSize: A6
*PageSize A6/A6: "%% FoomaticRIPOptionSetting: PageSize=A6"
*FoomaticRIPOptionSetting PageSize=A6: " -dDEVICEWIDTHPOINTS=297 -dDEVIC&&
EHEIGHTPOINTS=420"
*End
*CloseUI: *PageSize
*OpenUI *PageRegion: PickOne
*OrderDependency: 110 AnySetup *PageRegion
*DefaultPageRegion: A6
*PageRegion A6/A6: "%% FoomaticRIPOptionSetting: PageSize=A6"
*CloseUI: *PageRegion
*DefaultImageableArea: A6
*ImageableArea A6/A6: "0 0 297 420"
*DefaultPaperDimension: A6
*PaperDimension A6/A6: "297 420"

*OpenUI *InputSlot/Media Source: PickOne
*FoomaticRIPOption InputSlot: enum CmdLine A
*OrderDependency: 110 AnySetup *InputSlot
*DefaultInputSlot: Upper
{trays}*CloseUI: *InputSlot
"""

TRAY = """\
*InputSlot {name}/{name} Tray: "%% FoomaticRIPOptionSetting: InputSlot={name}"
*FoomaticRIPOptionSetting InputSlot={name}: "{words}"
"""


def ppd(name, command, color=False):
    """`command`: with %A where the options go."""
    return PPD.format(
        name=name, command=command, colour=color,
        trays="".join(TRAY.format(name=tray, words=words)
                      for tray, words in TRAYS.items()))


def device(name, behind=""):
    """The command line of a device of Ghostscript, through a program."""
    return ("gs -q -dBATCH -dPARANOIDSAFER -dNOPAUSE -dNOMEDIAATTRS "
            f"-dNOINTERPOLATE -r600x600 -sDEVICE={name}%A%Z "
            f"-sOutputFile=- -f -{behind}")


def read_pbm(data):
    """The pages of raw PBM: [(width, rows)]."""
    pages, at = [], 0
    while at < len(data):
        assert data[at:at + 3] == b"P4\n", data[at:at + 20]
        end = data.index(b"\n", at + 3)
        while data[at + 3:at + 4] == b"#":
            at, end = end - 2, data.index(b"\n", end + 1)
        width, height = map(int, data[at + 3:end].split())
        size, at = (width + 7) // 8, end + 1
        pages.append((width, [data[at + row * size:at + (row + 1) * size]
                              for row in range(height)]))
        at += size * height
    return pages
